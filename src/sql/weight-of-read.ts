// What a compiled read takes in memory, in bytes: its plan, and the texts of its statements.

import { weightOfPlan } from '../plan/weight-of-plan.ts'
import type { CompiledPopulate, CompiledRead } from './compile-read.ts'

export function weightOfRead({ plan, rows, count, populate }: CompiledRead): number {
  const texts = rows.statement.text.length + count.statement.text.length
  return weightOfPlan(plan) + texts + weightOfTexts(populate)
}

function weightOfTexts(populate: readonly CompiledPopulate[]): number {
  let length = 0
  for (const { levels } of populate) {
    for (const { rows, few, page, populate: below } of levels) {
      for (const bound of [rows, few, page]) length += bound?.statement.text.length ?? 0
      length += weightOfTexts(below)
    }
  }
  return length
}

// Sets an attribute of many entries in one request, all of them or none: the chosen ones, or all of the view.

import { useState } from 'preact/hooks'
import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { say, sayCount } from '../messages.ts'
import { type Fault, RequestError } from '../server.ts'
import { sayOtherCount } from './bulk-words.ts'
import { Field } from './fields.tsx'
import { buildPayload, type Values } from './values.ts'
import { type Selection, selectEntries, writeMany } from './write.ts'

interface ChangeManyProps {
  readonly type: Type
  readonly model: Model
  readonly chosen: readonly Entry[]
  /** All of the view; then `chosen` has no effect. */
  readonly whole: Selection | undefined
  readonly count: number
  onChanged(count: number): void
}

export function ChangeMany({ type, model, chosen, whole, count, onChanged }: ChangeManyProps) {
  const attributes = type.attributes.filter(isSettable)
  const [name, setName] = useState(attributes[0]?.name ?? '')
  const [values, setValues] = useState<Values>({})
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [problem, setProblem] = useState<string>()
  const [expected, setExpected] = useState(count)
  const [isBusy, setBusy] = useState(false)
  const attribute = attributes.find((one) => one.name === name)
  if (attribute === undefined)
    return <p>{say('There is nothing that can be set for several entries at once.')}</p>

  const change = async (): Promise<void> => {
    setFaults([])
    setProblem(undefined)
    setBusy(true)
    try {
      const value = values[attribute.name] === undefined ? { [attribute.name]: null } : values
      const data = buildPayload([attribute], value, model, true)
      if (whole !== undefined) {
        const found = await writeMany(type, model, whole, data, true)
        setExpected(found)
        if (found !== expected) {
          setProblem(sayOtherCount(found))
          setBusy(false)
          return
        }
      }
      let done = 0
      for (const selection of whole === undefined ? selectEntries(type, chosen) : [whole])
        done += await writeMany(type, model, selection, data, false)
      onChanged(done)
    } catch (error) {
      if (error instanceof RequestError) setFaults(error.faults)
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  return (
    <form
      class="change-many"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void change()
      }}
    >
      <label class="stacked">
        {say('Attribute')}
        <select
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setValues({})
          }}
        >
          {attributes.map((one) => (
            <option value={one.name}>{one.label}</option>
          ))}
        </select>
      </label>
      <Field
        key={attribute.name}
        {...{ attribute, model, faults }}
        value={values[attribute.name]}
        path={[attribute.name]}
        onChange={(value) => setValues({ [attribute.name]: value })}
      />
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <div class="buttons end">
        <button type="submit" class="main" disabled={isBusy}>
          {sayCount(expected, 'Change {count} entry', 'Change {count} entries')}
        </button>
      </div>
    </form>
  )
}

function isSettable({ kind, writable, writeOnce, computed, private: hidden, type }: Attribute): boolean {
  const isOpen = writable !== false && writeOnce !== true && computed === undefined && hidden !== true
  return kind === 'scalar' && isOpen && type !== 'password' && type !== 'uid'
}

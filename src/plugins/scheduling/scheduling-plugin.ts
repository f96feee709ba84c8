// Publishes entries, and makes them drafts again, at times that their attributes hold.

import { leaseTable } from '../lease-table.ts'
import type { Plugin } from '../plugin.ts'
import { METRICS } from '../services.ts'
import { createPublisher } from './publish-due.ts'
import { scheduleShorthand } from './schedule-shorthand.ts'
import { checkSchedules, listSchedules } from './schedules.ts'

export const schedulingPlugin: Plugin = {
  name: 'scheduling',
  onByDefault: true,
  shorthands: scheduleShorthand,
  enable: () => ({
    contribution: { plugin: 'scheduling', contentTypes: {} },
    checkWithCode: ({ model }) => checkSchedules(model),
    activate({ content, model, now, testing, log, onFault, get }) {
      const schedules = listSchedules(model)
      if (schedules.length === 0) return {}
      const publisher = createPublisher({
        content,
        schedules,
        testing,
        now,
        warn: log.warn,
        onFault: (fault) => onFault(fault, undefined),
      })
      get(METRICS)?.gauge(
        'cms_schedule_overdue',
        'Entries that could not be published or unpublished at their moment.',
        ['type'],
        () => [...publisher.overdue].map(([uid, count]) => [[uid], count] as const),
      )
      return {
        tables: [leaseTable],
        begin: publisher.begin,
        restored: publisher.restored,
        retire: publisher.end,
      }
    },
  }),
}

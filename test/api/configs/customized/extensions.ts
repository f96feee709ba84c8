import type { LifecycleEvent, UserCms } from '../../../../src/index.ts'

let cms: UserCms

export async function bootstrap(given: UserCms): Promise<void> {
  cms = given
  if ((await cms.entries('journal').count()) === 0) await cms.entries('journal').create({ line: 'started' })
}

function line(text: string): Promise<unknown> {
  return cms.entries('journal').create({ line: text })
}

export const lifecycles = {
  memo: {
    beforeCreate(event: LifecycleEvent) {
      event.params.data['owner'] ??= 'the hook'
      event.state['from'] = 'before'
    },
    async afterCreate({ result, state }: LifecycleEvent) {
      await line(`created ${String(result?.['text'])} ${String(state['from'])}`)
      if (result?.['text'] === 'FAIL') throw new cms.errors.ApplicationError('the hook says no')
    },
    async afterDelete({ params }: LifecycleEvent) {
      await line(`deleted ${String(params.where?.id)}`)
    },
  },
}

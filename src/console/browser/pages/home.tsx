// The first page: what was edited lately, drafts, what is due, and the way to new entries; below, facts for developers.

import type { Home } from '../../described.ts'
import { DeveloperFacts } from '../home/developer-facts.tsx'
import { NewEntries } from '../home/new-entries.tsx'
import { findOwner, useOverview } from '../home/overview.ts'
import { OverviewList } from '../home/overview-list.tsx'
import { useAsked, useLive, useModel } from '../live.ts'
import { say } from '../messages.ts'
import { ModelWait } from '../parts/model-wait.tsx'

export default function HomePage() {
  const { value: home, error } = useAsked<Home>('home')
  const model = useModel()
  const { login } = useLive()
  const overview = useOverview(model, home?.counts)
  if (error !== undefined) return <p class="notice wrong">{error}</p>
  if (home === undefined || model === undefined) return <ModelWait />
  // Callers who are no developers get no facts.
  const { database }: Partial<Home> = home
  const types = model.types.filter(({ own }) => own)
  const hasOwn = login?.user !== undefined && types.some((type) => findOwner(type) !== undefined)
  const hasDrafts = types.some(({ draftAndPublish }) => draftAndPublish)
  const hasSchedules = types.some(({ schedule }) => schedule !== undefined)
  return (
    <div class="home">
      <h1>
        {login?.user === undefined ? location.host : say('Hello, {name}', { name: login.user.username })}
      </h1>
      <NewEntries types={types} />
      <div class="overviews">
        {hasOwn && (
          <OverviewList
            title={say('Mine')}
            items={overview.mine}
            fault={overview.fault}
            empty={say('What belongs to you appears here.')}
          />
        )}
        <OverviewList
          title={say('Recently edited')}
          items={overview.recent}
          fault={overview.fault}
          empty={say('What is edited appears here.')}
        />
        {hasDrafts && (
          <OverviewList
            title={say('Drafts')}
            items={overview.drafts}
            fault={overview.fault}
            empty={say('Everything is published.')}
          />
        )}
        {hasSchedules && (
          <OverviewList
            title={say('Due')}
            items={overview.due}
            fault={overview.fault}
            empty={say('Nothing is scheduled.')}
          />
        )}
      </div>
      {database !== undefined && <DeveloperFacts home={home} model={model} />}
    </div>
  )
}

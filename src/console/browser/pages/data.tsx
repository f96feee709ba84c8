// The entries of each content-type, as a list and as a form.

import { Grid } from '../data/grid.tsx'
import { TypeNav } from '../data/type-nav.tsx'
import type { PageProps } from '../frame.tsx'
import { useModel } from '../live.ts'
import { say } from '../messages.ts'
import { Lazy } from '../parts/lazy.tsx'
import { ModelWait } from '../parts/model-wait.tsx'

const loadForm = async () => ({ default: (await import('../data/form.tsx')).EntryForm })

export default function DataPage({ route }: PageProps) {
  const model = useModel()
  const [, name, id] = route.parts
  if (model === undefined) return <ModelWait />
  const types = model.types.filter(({ own, may }) => own && may.includes('find'))
  const type = types.find((one) => one.name === name) ?? (name === undefined ? types[0] : undefined)
  return (
    <div class="sided">
      <TypeNav types={types} current={type} />
      <div class="content">
        {type === undefined ? (
          <p class="notice wrong">{say('There is no content-type “{name}”.', { name: name ?? '' })}</p>
        ) : (
          <>
            {id === undefined && type.kind === 'collectionType' && <h1>{type.displayName}</h1>}
            {id === undefined && type.kind === 'collectionType' ? (
              <Grid key={type.uid} type={type} model={model} query={route.query} />
            ) : (
              <Lazy
                key={`${type.uid} ${id} ${route.query}`}
                load={loadForm}
                given={{ type, model, id: id === 'new' ? undefined : id, query: route.query }}
              />
            )}
          </>
        )}
      </div>
    </div>
  )
}

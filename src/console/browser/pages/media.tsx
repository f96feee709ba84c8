// The media library: all files, and what is known of the chosen one.

import { useState } from 'preact/hooks'
import { FileDetails } from '../data/file-details.tsx'
import { FILES, listKinds, type MediaFile } from '../data/media.ts'
import { MediaLibrary } from '../data/media-library.tsx'
import { useModel } from '../live.ts'
import { say } from '../messages.ts'
import { ModelWait } from '../parts/model-wait.tsx'

export default function MediaPage() {
  const model = useModel()
  const [chosen, setChosen] = useState<MediaFile>()
  const [changes, setChanges] = useState(0)
  if (model === undefined) return <ModelWait />
  if (!model.types.some(({ uid }) => uid === FILES))
    return <p class="notice wrong">{say('Your role may not see files.')}</p>
  return (
    <>
      <h1>{say('Media')}</h1>
      <div class={chosen === undefined ? '' : 'split'}>
        <MediaLibrary
          key={changes}
          model={model}
          kinds={listKinds(undefined)}
          many={false}
          chosen={chosen === undefined ? [] : [chosen]}
          onChosen={([file]) => setChosen(file)}
          onOpen={setChosen}
        />
        {chosen !== undefined && (
          <FileDetails
            key={chosen.id}
            model={model}
            file={chosen}
            onChange={(file) => {
              setChosen(file)
              setChanges(changes + 1)
            }}
          />
        )}
      </div>
    </>
  )
}

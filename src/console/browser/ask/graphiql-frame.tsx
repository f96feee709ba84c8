// GraphiQL in a frame, beginning with the query of the builder.

import { useEffect, useRef, useState } from 'preact/hooks'

export function GraphiqlFrame({ as, query }: { readonly as: string; readonly query: string }) {
  const [first] = useState(query)
  const frame = useRef<HTMLIFrameElement>(null)
  const address = `/_console/graphiql#${new URLSearchParams({ as, query: first })}`
  const [opened] = useState(address)
  useEffect(() => {
    // Another caller changes only the part behind `#`, so that the typed query stays.
    frame.current?.contentWindow?.location.replace(address)
  }, [address])
  return <iframe ref={frame} class="graphiql" title="GraphiQL" src={opened} />
}

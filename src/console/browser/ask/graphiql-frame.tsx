// GraphiQL, beginning with the question that was clicked together.

import { useEffect, useRef, useState } from 'preact/hooks'

export function GraphiqlFrame({ as, query }: { readonly as: string; readonly query: string }) {
  const [first] = useState(query)
  const frame = useRef<HTMLIFrameElement>(null)
  const address = `/_console/graphiql#${new URLSearchParams({ as, query: first })}`
  const [opened] = useState(address)
  useEffect(() => {
    // Another caller is another part behind the `#`: what was written stays.
    frame.current?.contentWindow?.location.replace(address)
  }, [address])
  return <iframe ref={frame} class="graphiql" title="GraphiQL" src={opened} />
}

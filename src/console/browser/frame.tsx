// The frame of all pages: navigation, the file's errors, and a prompt for a missing key.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { KeyNeeded } from './key-needed.tsx'
import { useLive } from './live.ts'
import { Report } from './parts/report.tsx'
import { Toasts } from './parts/toast.tsx'
import { type Route, useRoute } from './route.ts'

export interface PageProps {
  readonly route: Route
}

interface Page {
  readonly name: string
  readonly title: string
  load(): Promise<{ readonly default: ComponentType<PageProps> }>
}

const pages: readonly Page[] = [
  { name: '', title: 'Home', load: () => import('./pages/home.tsx') },
  { name: 'data', title: 'Data', load: () => import('./pages/data.tsx') },
  { name: 'model', title: 'Model', load: () => import('./pages/model.tsx') },
  { name: 'ask', title: 'Ask', load: () => import('./pages/ask.tsx') },
  { name: 'reference', title: 'Reference', load: () => import('./pages/reference.tsx') },
  { name: 'access', title: 'Access', load: () => import('./pages/access.tsx') },
  { name: 'live', title: 'Live', load: () => import('./pages/live.tsx') },
  { name: 'file', title: 'File', load: () => import('./pages/file.tsx') },
]

export function Frame() {
  const route = useRoute()
  const live = useLive()
  const [name = ''] = route.parts
  const page = pages.find((one) => one.name === name)
  useEffect(() => {
    document.title = `${page?.title ?? 'Not found'} · cms-run console`
  }, [page])
  return (
    <div class="frame">
      <header class="bar">
        <a class="brand" href="#/">
          cms-run
        </a>
        <nav aria-label="Pages">
          {pages.map((one) => (
            <a href={`#/${one.name}`} aria-current={one === page ? 'page' : undefined}>
              {one.title}
            </a>
          ))}
        </nav>
        <FileState />
      </header>
      <main id="main">
        {live.gone && (
          <p class="notice wrong" role="alert">
            The server does not answer. The page goes on when it is back.
          </p>
        )}
        {live.wrong !== undefined && (
          <section class="notice wrong" role="alert" aria-label="Errors in the file">
            <h2>The file has errors: the previous configuration stays in use</h2>
            <Report text={live.wrong} />
          </section>
        )}
        {live.refused !== undefined ? (
          <KeyNeeded fault={live.refused} />
        ) : page === undefined ? (
          <NotFound />
        ) : (
          <Loaded page={page} route={route} />
        )}
      </main>
      <Toasts />
    </div>
  )
}

function Loaded({ page, route }: { readonly page: Page; readonly route: Route }) {
  const [loaded, setLoaded] = useState<{ readonly of: Page; readonly Content: ComponentType<PageProps> }>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let current = true
    setFailed(false)
    page.load().then(
      (module) => current && setLoaded({ of: page, Content: module.default }),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [page])
  if (failed) return <p class="notice wrong">This page could not be loaded. Reload the tab.</p>
  if (loaded?.of !== page) return <p class="quiet">Loading …</p>
  return <loaded.Content route={route} />
}

function FileState() {
  const { file, wrong, gone, generation } = useLive()
  if (generation === 0 || file === undefined) return null
  return (
    <a class={`file-state ${wrong === undefined && !gone ? 'good' : 'bad'}`} href="#/live">
      <span aria-hidden="true">●</span> {file.split('/').at(-1)}{' '}
      {wrong === undefined ? 'is valid' : 'has errors'}
    </a>
  )
}

function NotFound() {
  return (
    <section class="narrow">
      <h1>There is no such page</h1>
      <p>
        <a href="#/">Go to the first page</a>
      </p>
    </section>
  )
}

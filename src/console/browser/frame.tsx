// The frame of all pages: navigation, the file's errors, and a prompt for a missing key. Pages for developers are English.

import {
  Activity,
  BookOpen,
  CircleUser,
  FileCode,
  House,
  Images,
  SendHorizontal,
  ShieldCheck,
  Table2,
  Users,
  Workflow,
} from 'lucide'
import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { LoginState } from '../described.ts'
import { Entrance, LoginForm } from './entrance.tsx'
import { type Live, useLive } from './live.ts'
import { say } from './messages.ts'
import { Navigation, type PageLink } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { Dialog } from './parts/dialog.tsx'
import { Lazy } from './parts/lazy.tsx'
import { Report } from './parts/report.tsx'
import { Toasts } from './parts/toast.tsx'
import { ProviderLinks } from './provider-links.tsx'
import { type Route, useRoute } from './route.ts'

export interface PageProps {
  readonly route: Route
}

interface Page extends PageLink {
  load(): Promise<{ readonly default: ComponentType<PageProps> }>
}

const pages: readonly Page[] = [
  {
    name: '',
    title: () => say('Home'),
    icon: House,
    developer: false,
    load: () => import('./pages/home.tsx'),
  },
  {
    name: 'data',
    title: () => say('Data'),
    icon: Table2,
    developer: false,
    load: () => import('./pages/data.tsx'),
  },
  {
    name: 'media',
    title: () => say('Media'),
    icon: Images,
    developer: false,
    load: () => import('./pages/media.tsx'),
  },
  {
    name: 'users',
    title: () => say('Users'),
    icon: Users,
    developer: false,
    load: () => import('./pages/users.tsx'),
  },
  {
    name: 'model',
    title: () => 'Model',
    icon: Workflow,
    developer: true,
    load: () => import('./pages/model.tsx'),
  },
  {
    name: 'ask',
    title: () => 'Ask',
    icon: SendHorizontal,
    developer: true,
    load: () => import('./pages/ask.tsx'),
  },
  {
    ...{ name: 'reference', title: () => 'Reference', icon: BookOpen, developer: true },
    load: () => import('./pages/reference.tsx'),
  },
  {
    ...{ name: 'access', title: () => 'Access', icon: ShieldCheck, developer: true },
    load: () => import('./pages/access.tsx'),
  },
  {
    name: 'live',
    title: () => 'Live',
    icon: Activity,
    developer: true,
    load: () => import('./pages/live.tsx'),
  },
  {
    name: 'file',
    title: () => 'File',
    icon: FileCode,
    developer: true,
    load: () => import('./pages/file.tsx'),
  },
]

const account: Page = {
  ...{ name: 'account', title: () => say('Account'), icon: CircleUser, developer: false },
  load: () => import('./pages/account.tsx'),
}

/** A user has the pages of the role; a developer has all. */
function listPages(login: LoginState | undefined): readonly Page[] {
  const user = login?.user
  if (user === undefined) return pages
  return [...pages.filter(({ name }) => name === '' || user.pages.includes(name)), account]
}

export function Frame() {
  const route = useRoute()
  const live = useLive()
  const main = useRef<HTMLElement>(null)
  const [name = ''] = route.parts
  const shown = listPages(live.login)
  const page = shown.find((one) => one.name === name)
  useEffect(() => {
    document.title = `${page?.title() ?? say('Not found')} · cms-run console`
  }, [page])
  useFocusAfterChange(main, route)
  const [searching, setSearching] = useState(false)
  useShortcut(() => setSearching(true))
  const isOpen = live.login !== undefined && live.refused === undefined
  const isOver = live.refused !== undefined && live.login?.user !== undefined
  return (
    <div class={isOpen || isOver ? 'frame' : 'frame outside'}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {say('Skip to content')}
      </button>
      {(isOpen || isOver) && (
        <Navigation pages={shown} current={page} onSearch={isOpen ? () => setSearching(true) : undefined} />
      )}
      <main id="main" tabIndex={-1} ref={main}>
        {live.gone && (
          <p class="notice wrong" role="alert">
            {say('The server does not answer. The page continues when it is back.')}
          </p>
        )}
        {live.wrong !== undefined && (
          <section class="notice wrong" role="alert" aria-label={say('Errors in the file')}>
            <h2>{say('The file has errors: the previous configuration stays in use')}</h2>
            <Report text={live.wrong} />
          </section>
        )}
        {live.login === undefined ? (
          <p class="quiet">{say('Loading …')}</p>
        ) : live.refused !== undefined && !isOver ? (
          <Entrance login={live.login} fault={live.refused} />
        ) : page === undefined ? (
          <NotFound />
        ) : (
          <Lazy key={live.login.user?.id} load={page.load} given={{ route }} />
        )}
      </main>
      {isOver && <SessionOver live={live} />}
      {searching && isOpen && <Palette pages={shown} onClose={() => setSearching(false)} />}
      <Toasts />
    </div>
  )
}

/** The page stays behind it, with all that was typed. */
function SessionOver({ live: { login } }: { readonly live: Live }) {
  return (
    <Dialog title={say('Your session is over')} onClose={() => {}}>
      <p>{say('Log in again: nothing that you typed is lost.')}</p>
      <ProviderLinks providers={login?.providers ?? []} inNewTab />
      <LoginForm name={login?.user?.username ?? ''} />
    </Dialog>
  )
}

/** So that a screen reader reads the new page; within a page only a focus that was lost is moved. */
function useFocusAfterChange(main: { readonly current: HTMLElement | null }, { parts }: Route): void {
  const before = useRef(parts)
  const address = parts.join('/')
  useEffect(() => {
    const isOther = before.current[0] !== parts[0]
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (before.current.join('/') !== address && (isOther || isLost)) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    before.current = parts
  }, [address])
}

/** Ctrl+K, or Cmd+K; an editor that uses the key itself, and an open dialog, come first. */
function useShortcut(run: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
      if (!isShortcut || event.defaultPrevented || event.shiftKey || event.altKey) return
      event.preventDefault()
      if (document.querySelector('dialog[open]') === null) run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function NotFound() {
  return (
    <section class="narrow">
      <h1>{say('There is no such page')}</h1>
      <p>
        <a href="#/">{say('Go to the first page')}</a>
      </p>
    </section>
  )
}

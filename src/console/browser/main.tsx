// Draws the console: the frame with its pages, each loaded when it is opened.

import { render } from 'preact'
import { Frame } from './frame.tsx'
import { keepLooking } from './live.ts'
import { loadMessages } from './messages.ts'
import { returnFromProvider, takeKey } from './server.ts'
import './style.css'

const root = document.getElementById('console')
if (root !== null) {
  takeKey()
  returnFromProvider()
  await loadMessages()
  addEventListener('hashchange', takeKey)
  root.replaceChildren()
  render(<Frame />, root)
  void keepLooking()
}

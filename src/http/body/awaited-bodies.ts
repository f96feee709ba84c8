// Requests whose bodies are expected within this turn of the event loop, at whose end their handlers are
// called anyway.

import { setImmediate } from 'node:timers'

interface AwaitedBody {
  begin(): void
}

export class AwaitedBodies {
  private all: AwaitedBody[] = []

  add(request: AwaitedBody): void {
    this.all.push(request)
    if (this.all.length === 1) setImmediate(() => this.beginAll())
  }

  private beginAll(): void {
    const { all } = this
    this.all = []
    for (const request of all) request.begin()
  }
}

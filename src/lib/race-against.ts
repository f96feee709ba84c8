// Races promises against one long-lived promise, on which `Promise.race` would keep a reaction and a value of
// each race.

/** One wait at a time. */
export type RaceAgainst<E> = <T>(wait: Promise<T>) => Promise<T | E>

export function raceAgainst<E>(promise: Promise<E>): RaceAgainst<E> {
  let isSettled = false
  let settle = (): void => {}
  const settled = (): void => {
    isSettled = true
    settle()
  }
  promise.then(settled, settled)

  return (wait) =>
    new Promise((resolve, reject) => {
      wait.then(resolve, reject)
      settle = () => resolve(promise)
      if (isSettled) settle()
    })
}

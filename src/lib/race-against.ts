// `Promise.race` again and again against one promise. A promise that stays pending keeps a reaction of each race, and
// with it the race's value; here it has one listener, which settles the race of the moment.

/** Settles a wait as it settles, or as the promise does if that is earlier. One wait at a time. */
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

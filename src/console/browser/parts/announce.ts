// Says to screen readers what has happened, such as the new place of something moved.

let region: HTMLElement | undefined

export function announce(text: string): void {
  if (region === undefined) {
    region = document.createElement('div')
    region.className = 'hidden'
    region.setAttribute('role', 'status')
    document.body.append(region)
  }
  // The same text twice is two announcements only if the region changes.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text
}

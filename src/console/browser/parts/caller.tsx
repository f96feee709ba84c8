// Chooses the caller of API requests.

import { useHome } from '../live.ts'

interface CallerProps {
  readonly value: string
  onChange(value: string): void
}

export function CallerChoice({ value, onChange }: CallerProps) {
  const home = useHome()
  return (
    <label>
      As
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="everything">the console (may do everything)</option>
        <option value="nobody">nobody (no token)</option>
        {home?.roles.map(({ type }) => (
          <option value={`role:${type}`}>role {type}</option>
        ))}
        {home?.users.map((name) => (
          <option value={`user:${name}`}>user {name}</option>
        ))}
        {home?.tokens.map((name) => (
          <option value={`token:${name}`}>token {name}</option>
        ))}
      </select>
    </label>
  )
}

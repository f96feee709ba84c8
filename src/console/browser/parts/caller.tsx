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
      Caller
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="everything">The console (every permission)</option>
        <option value="nobody">Nobody (without a token)</option>
        {home?.roles.map(({ type }) => (
          <option value={`role:${type}`}>Role {type}</option>
        ))}
        {home?.users.map((name) => (
          <option value={`user:${name}`}>User {name}</option>
        ))}
        {home?.tokens.map((name) => (
          <option value={`token:${name}`}>Token {name}</option>
        ))}
      </select>
    </label>
  )
}

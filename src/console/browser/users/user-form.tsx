// Makes or changes a user: name, address, password, role, and the attributes that the file adds to users.

import { useState } from 'preact/hooks'
import type { Model, Type } from '../../described.ts'
import { Field } from '../data/fields.tsx'
import { buildFormValues, buildPayload, type Values } from '../data/values.ts'
import { say } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { type Fault, RequestError } from '../server.ts'
import { type Role, type User, writeUser } from './load-users.ts'

interface UserFormProps {
  readonly model: Model
  readonly type: Type
  readonly roles: readonly Role[]
  /** Undefined: a new one. */
  readonly user: User | undefined
  onClose(): void
  onSaved(user: User): void
}

/** Set by the server, or by their own inputs. */
const OTHERS = ['role', 'provider', 'confirmed', 'blocked', 'localizations']

export function UserForm({ model, type, roles, user, onClose, onSaved }: UserFormProps) {
  const attributes = type.attributes.filter(
    ({ name, kind, private: hidden, type: kindOfValue }) =>
      !OTHERS.includes(name) && kind === 'scalar' && (hidden !== true || kindOfValue === 'password'),
  )
  const [original] = useState<Values>(user === undefined ? {} : buildFormValues(attributes, user, model))
  const [values, setValues] = useState<Values>(original)
  const [role, setRole] = useState(String(user?.role?.id ?? ''))
  const [confirmed, setConfirmed] = useState(user?.confirmed ?? true)
  const [blocked, setBlocked] = useState(user?.blocked ?? false)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [problem, setProblem] = useState<string>()
  const changed = attributes.filter(({ name }) => values[name] !== original[name])

  const save = async (): Promise<void> => {
    setFaults([])
    setProblem(undefined)
    const data = {
      ...buildPayload(changed, values, model, true),
      ...(role !== '' && role !== String(user?.role?.id ?? '') && { role: Number(role) }),
      ...(confirmed !== user?.confirmed && { confirmed }),
      ...(blocked !== user?.blocked && { blocked }),
    }
    try {
      onSaved(await writeUser(model, user?.id, data))
    } catch (error) {
      if (error instanceof RequestError) setFaults(error.faults)
      setProblem((error as Error).message)
    }
  }
  return (
    <Dialog title={user === undefined ? say('New user') : user.username} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {problem !== undefined && (
          <p class="notice wrong" role="alert">
            {problem}
          </p>
        )}
        {attributes.map((attribute) => (
          <Field
            key={attribute.name}
            {...{ attribute, model, faults }}
            value={values[attribute.name]}
            path={[attribute.name]}
            onChange={(value) => setValues((before) => ({ ...before, [attribute.name]: value }))}
          />
        ))}
        {roles.length > 0 && (
          <label class="stacked">
            {say('Role')}
            <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
              {role === '' && <option value="">—</option>}
              {roles.map(({ id, name, type: kind }) =>
                kind === 'public' ? null : <option value={String(id)}>{name}</option>,
              )}
            </select>
          </label>
        )}
        <label class="check">
          <input type="checkbox" checked={confirmed} onChange={() => setConfirmed(!confirmed)} />{' '}
          {say('The address is confirmed')}
        </label>
        <label class="check">
          <input type="checkbox" checked={blocked} onChange={() => setBlocked(!blocked)} />{' '}
          {say('Blocked: the user cannot log in')}
        </label>
        <div class="buttons">
          <button type="submit" class="main">
            {user === undefined ? say('Create') : say('Save')}
          </button>
          <button type="button" onClick={onClose}>
            {say('Cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

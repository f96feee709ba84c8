// The socket for ways to say who one is: API tokens, user JWTs.

import type { HttpRequest } from '../http/request.ts'
import type { Principal } from './principal.ts'

export interface AuthStrategy {
  readonly name: string
  /**
   * The principal a bearer token stands for; undefined when the token is none of this strategy's. Throws
   * UnauthorizedError when it is, and is not valid.
   */
  authenticate(token: string, request: HttpRequest): Principal | undefined | Promise<Principal | undefined>
}

// The socket for sending mail: offered by the email plugin, used by those that write to users.

export interface Mail {
  readonly to: string
  /** The plugin's default sender when undefined. */
  readonly from?: string
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

export interface Mailer {
  /** Resolves when the mail is on its way. */
  send(mail: Mail): Promise<void>
}

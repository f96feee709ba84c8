// Signs webhooks with HMAC-SHA256 over id, timestamp and body (Standard Webhooks, "Signature scheme").

type Sign = (id: string, at: Date, body: string) => string

const signers = new Map<string, Sign>()

export async function loadSigner(secret: string): Promise<Sign> {
  let sign = signers.get(secret)
  if (sign === undefined) {
    const { Webhook } = await import('standardwebhooks')
    const webhook = new Webhook(secret)
    sign = (id, at, body) => webhook.sign(id, at, body)
    signers.set(secret, sign)
  }
  return sign
}

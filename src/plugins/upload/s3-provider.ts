// Stores files in a bucket of Amazon S3 or a compatible service (MinIO, R2, Spaces), where clients read them.
// Users install the AWS SDK themselves.

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ObjectCannedACL, S3Client as S3ClientType } from '@aws-sdk/client-s3'
import { buildRecord, isRecord } from '../../lib/is-record.ts'
import type { ProviderFile, UploadProvider } from '../upload-provider.ts'

/** The options of Strapi's provider. */
interface S3Options {
  readonly bucket: string
  readonly acl: ObjectCannedACL | undefined
  /** The prefix of every key, such as `uploads/`. */
  readonly rootPath: string
  /** Replaces the bucket's URL, for example by a CDN. */
  readonly baseUrl: string | undefined
  /** SDK options: `region`, `endpoint`, `credentials`, `forcePathStyle` and so on. */
  readonly client: Readonly<Record<string, unknown>>
}

type Sdk = typeof import('@aws-sdk/client-s3')

export async function createS3Provider(given: Readonly<Record<string, unknown>>): Promise<UploadProvider> {
  const options = parseOptions(given)
  const sdk = await loadSdk()
  const client = new sdk.S3Client({
    // Some compatible servers do not support the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...options.client,
  })
  const { bucket, acl, rootPath } = options
  const base = options.baseUrl ?? (await readAddress(client, options))
  return {
    name: 'aws-s3',
    elsewhere: true,
    async store(file) {
      const body = getBody(file)
      // The SDK does not notice when reading the body fails, and would wait for the rest.
      const breaking = new AbortController()
      let broken: unknown
      body.on('error', (fault) => {
        broken = fault
        breaking.abort()
      })
      const put = client.send(
        new sdk.PutObjectCommand({
          Bucket: bucket,
          Key: rootPath + file.key,
          Body: body,
          ContentLength: file.size,
          ContentType: file.active ? 'application/octet-stream' : file.mime,
          // A bucket sends no CSP: types that a browser would run are downloaded.
          ...(file.active ? { ContentDisposition: 'attachment' } : {}),
          ...(acl === undefined ? {} : { ACL: acl }),
        }),
        { abortSignal: breaking.signal },
      )
      await put.catch((fault) => Promise.reject(broken ?? fault))
      return { url: `${base}/${rootPath}${file.key}` }
    },
    async remove(key) {
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: rootPath + key }))
    },
    // For archives and copies; clients read from the bucket directly.
    async open(key) {
      try {
        const head = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: rootPath + key }))
        const size = head.ContentLength ?? 0
        return {
          size,
          modified: head.LastModified ?? new Date(0),
          async *chunks(range) {
            const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`
            const found = await client.send(
              new sdk.GetObjectCommand({
                Bucket: bucket,
                Key: rootPath + key,
                ...(Range === undefined ? {} : { Range }),
              }),
            )
            yield* found.Body as unknown as AsyncIterable<Uint8Array>
          },
        }
      } catch (error) {
        if (isRecord(error) || error instanceof Error) {
          const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
          if (status === 404) return undefined
        }
        throw error
      }
    },
  }
}

function getBody(file: ProviderFile): Readable {
  return file.path === undefined
    ? Readable.from(file.chunks(), { objectMode: false })
    : createReadStream(file.path)
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-s3')
  } catch (error) {
    throw new Error('the provider aws-s3 needs the AWS SDK: npm install @aws-sdk/client-s3', { cause: error })
  }
}

function parseOptions(given: Readonly<Record<string, unknown>>): S3Options {
  const s3 = buildRecord(given['s3Options'])
  const params = buildRecord(s3['params'])
  const { params: _, ...client } = s3
  const rootPath = formatText(given['rootPath']) ?? ''
  return {
    bucket: formatText(params['Bucket']) ?? '',
    acl: formatText(params['ACL']) as ObjectCannedACL | undefined,
    rootPath: rootPath === '' || rootPath.endsWith('/') ? rootPath : `${rootPath}/`,
    baseUrl: formatText(given['baseUrl'])?.replace(/\/+$/, ''),
    client,
  }
}

/** `https://bucket.s3.eu-west-1.amazonaws.com`, or the bucket at the configured endpoint. */
async function readAddress(client: S3ClientType, { bucket, client: given }: S3Options): Promise<string> {
  const endpoint = formatText(given['endpoint'])
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  return `https://${bucket}.s3.${await client.config.region()}.amazonaws.com`
}

function formatText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

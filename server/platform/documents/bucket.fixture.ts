import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The storage provider's side: objects by path. Recomputes each request's signature (AWS Signature Version 4). */
export async function openBucket(secretKey: string) {
  const objects = new Map<string, Buffer>()
  const trouble: number[] = []
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const path = request.url?.split('?')[0] ?? ''
    requests.push(`${request.method} ${path}`)
    const broken = trouble.shift()
    if (broken) return response.writeHead(broken).end()
    if (!isSigned(request, body, secretKey)) return response.writeHead(403).end(xml('SignatureDoesNotMatch'))
    if (request.method === 'PUT') objects.set(path, body)
    if (request.method === 'DELETE') {
      objects.delete(path)
      return response.writeHead(204).end()
    }
    const found = objects.get(path)
    if (!found) return response.writeHead(404).end(xml('NoSuchKey'))
    response.writeHead(200, { 'content-length': request.method === 'PUT' ? 0 : found.length })
    response.end(request.method === 'GET' ? found : undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    /** Answers the next requests with these statuses. */
    breakWith: (...statuses: number[]) => trouble.push(...statuses),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

function isSigned(request: IncomingMessage, body: Buffer, secretKey: string): boolean {
  const parts = /Credential=[^/]+\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
    request.headers.authorization ?? '',
  )
  if (!parts) return false
  const [, day = '', region = '', signed = '', signature] = parts
  const [path, query = ''] = (request.url ?? '').split('?')
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const bodyHash = String(request.headers['x-amz-content-sha256'])
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) return false
  const sortedQuery = query.split('&').sort().join('&')
  const canonical = [request.method, path, sortedQuery, headers.join(''), signed, bodyHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  return hmac(key, text).toString('hex') === signature
}

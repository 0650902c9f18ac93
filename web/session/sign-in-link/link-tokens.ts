export interface LinkTokens {
  token: string | null
  reportInToken: string | null
}

/**
 * The tokens in an address. Links carry them after `#`, which browsers send to no server. The query is
 * read as well.
 */
export function readLinkTokens({ search, hash }: { search: string; hash: string }): LinkTokens {
  const [behindHash, query] = [new URLSearchParams(hash.slice(1)), new URLSearchParams(search)]
  const read = (name: keyof LinkTokens) => behindHash.get(name) || query.get(name) || null
  return { token: read('token'), reportInToken: read('reportInToken') }
}

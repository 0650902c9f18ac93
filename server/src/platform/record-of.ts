/** A record with every one of these keys, each with its value. */
export const recordOf = <K extends string, V>(keys: readonly K[], valueFor: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<K, V>

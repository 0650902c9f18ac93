/** A channel between the tabs of this phone. Undefined if site data is blocked: each tab is then by itself. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

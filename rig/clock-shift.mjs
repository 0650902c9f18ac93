// Loaded before the product's own code in tests of the clock. Shifts Date by what the parent process sends. Timers do
// not change.
const RealDate = Date
let offset = Number(process.env.CLOCK_SHIFT_MS ?? 0)
process.on('message', ({ clockShiftMs }) => {
  offset = clockShiftMs
})
process.channel?.unref()

const now = () => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})

/** Milliseconds. All processes of a machine share this clock. */
export const sharedNow = () => Number(process.hrtime.bigint()) / 1e6

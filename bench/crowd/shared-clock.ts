/** Milliseconds of the clock that all processes of a machine share. */
export const sharedNow = () => Number(process.hrtime.bigint()) / 1e6

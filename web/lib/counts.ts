const number = new Intl.NumberFormat('en-AU')

/** 1980 as '1,980'. */
export const formatCount = (count: number) => number.format(count)

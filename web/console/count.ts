const number = new Intl.NumberFormat('en-AU')

/** '1 person', '1,200 people'. */
export const count = (n: number, one: string, many = `${one}s`) => `${number.format(n)} ${n === 1 ? one : many}`

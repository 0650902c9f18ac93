// The directory is the program itself, in a role that stands alone
process.env.ROLES = 'directory'
await import('../main.ts')

/** What a person gave that makes no sense: exit code 2. */
export class UsageError extends Error {}

export const chromiumArguments = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  // One process for all sites: to start one takes longer than most tests.
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
  // Nothing leaves this machine. `page.test` is a page without a secure context, which `localhost` is.
  '--host-resolver-rules=MAP page.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
] as const;

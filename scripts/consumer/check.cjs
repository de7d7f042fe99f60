// Fails if nothing is retried or a default export is missing; prints what each entry point exports.
exports.check = async function check(axios, entries, load) {
  let sent = 0;
  const adapter = async (config) => {
    sent += 1;
    if (sent === 1) {
      throw new axios.AxiosError('reset', 'ECONNRESET', config);
    }
    return { data: 'ok', status: 200, statusText: 'OK', headers: {}, config };
  };
  const api = axios.create({ adapter });
  const { attachRetry } = await load('axios-jitter');
  const handle = attachRetry(api, { baseDelay: 0 });
  const response = await api.get('/x');
  handle.detach();
  if (response.data !== 'ok' || sent !== 2) {
    throw new Error(`expected one retry, got ${sent} sends`);
  }

  const exported = {};
  for (const { id, hasDefault } of entries) {
    const all = await load(id);
    if (hasDefault !== ('default' in all)) {
      throw new Error(`${id} ${hasDefault ? 'lacks its' : 'has a'} default export`);
    }
    exported[id] = Object.keys(all).sort();
  }
  console.log(JSON.stringify(exported));
};

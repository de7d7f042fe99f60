exports.check = async function check(axios, core, subpath) {
  let sent = 0;
  const adapter = async (config) => {
    sent += 1;
    if (sent === 1) {
      throw new axios.AxiosError('reset', 'ECONNRESET', config);
    }
    return { data: 'ok', status: 200, statusText: 'OK', headers: {}, config };
  };
  const api = axios.create({ adapter });
  const handle = core.attachRetry(api, { baseDelay: 0 });
  const response = await api.get('/x');
  handle.detach();
  if (response.data !== 'ok' || sent !== 2) {
    throw new Error(`expected one retry, got ${sent} sends`);
  }
  const names = (namespace) => Object.keys(namespace).filter((name) => name !== 'default').sort();
  console.log(JSON.stringify({ core: names(core), subpath: names(subpath) }));
};

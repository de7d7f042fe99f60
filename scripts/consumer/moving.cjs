// The forms of `require` that users of the peers write.
const axios = require('axios');
const axiosRetry = require('axios-jitter/axios-retry');
const rax = require('axios-jitter/retry-axios');

async function sends(attach) {
  let sent = 0;
  const adapter = (config) => Promise.reject(new axios.AxiosError(String(++sent), 'ECONNRESET', config));
  const api = axios.create({ adapter, raxConfig: { retry: 2, retryDelay: 0 }, 'axios-retry': { retries: 2 } });
  attach(api);
  await api.get('/x').catch(() => undefined);
  return sent;
}

async function main() {
  const { default: named, exponentialDelay } = require('axios-jitter/axios-retry');
  const counts = [await sends(axiosRetry), await sends(axiosRetry.default), await sends(named), await sends(rax.attach)];
  const isWhole = axiosRetry.__esModule === true && exponentialDelay === axiosRetry.exponentialDelay && axiosRetry.namespace === 'axios-retry';
  if (counts.join() !== '3,3,3,3' || !isWhole) {
    throw new Error(`expected 3 sends each and all exports, got ${counts.join()}, ${isWhole}`);
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

// nock patches node:http itself, which outlives a test file (jest shares core modules between the files of a
// worker). Import it from here, so that the next file gets an untouched node:http.
import nock from 'nock';

if (!nock.isActive()) {
  nock.activate();
}

afterEach(() => {
  nock.cleanAll();
});

afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

export default nock;

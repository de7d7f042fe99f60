// A real HTTP server for the success path, as a child process: `fork` it, the first message is its address.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 7 });
  response.end('{"a":1}');
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.on('disconnect', () => process.exit(0));

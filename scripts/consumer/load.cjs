// The same from CommonJS.
const axios = require('axios');

const { check } = require('./check.cjs');

check(axios, JSON.parse(process.argv[2]), require).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

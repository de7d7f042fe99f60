// The same from CommonJS.
const axios = require('axios');
const core = require('axios-jitter');
const subpath = require('axios-jitter/cockatiel');

const { check } = require('./check.cjs');

check(axios, core, subpath).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

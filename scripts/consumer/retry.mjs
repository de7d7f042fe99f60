// An ES module that uses the installed package: prints its exports, fails if nothing is retried.
import axios from 'axios';
import * as core from 'axios-jitter';
import * as subpath from 'axios-jitter/cockatiel';

import { check } from './check.cjs';

await check(axios, core, subpath);

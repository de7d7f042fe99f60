// An ES module that uses the installed package.
import axios from 'axios';

import { check } from './check.cjs';

await check(axios, JSON.parse(process.argv[2]), (id) => import(id));

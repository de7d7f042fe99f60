import fs from 'node:fs';
import { makeSubjects, failThrice } from './subjects.mjs';
const cpu=()=>Number(fs.readFileSync('/proc/thread-self/schedstat','utf8').split(' ')[0])/1000;
const names=(process.argv[2]||'floor,axios-jitter').split(',');const subj=makeSubjects(names,failThrice);
const time=async(api,n)=>{const t=cpu();for(let i=0;i<n;i++)await api.get('/orders');return (cpu()-t)/n/3};
for(const n of names)await time(subj[n],5000);
const rounds={};for(const n of names)rounds[n]=[];
for(let r=0;r<60;r++)for(const n of names.slice().sort(()=>Math.random()-.5)){rounds[n].push(await time(subj[n],200));}
const low=a=>a.slice().sort((x,y)=>x-y)[Math.floor(a.length*0.3)];
for(const n of names)console.log(n,'p30 us/retry',low(rounds[n]).toFixed(2),(low(rounds[n])/low(rounds[names[0]])).toFixed(3));

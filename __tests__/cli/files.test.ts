// F31: what is written is the whole file or nothing, where the user said, and nothing is left behind.
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { checkWritable, readJson, writeWhole } from '../../lib/cli/files';

let folder: string;
const file = (name: string): string => path.join(folder, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');

beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'axios-jitter-files-')))));
afterEach(() => rmSync(folder, { recursive: true }));

describe('F31 writeWhole', () => {
  it('writes a new file, and nothing beside it', () => {
    writeWhole(file('new'), 'text');
    expect(text('new')).toBe('text');
    expect(readdirSync(folder)).toEqual(['new']);
  });

  it('leaves a link a link, and writes where it leads', () => {
    mkdirSync(file('elsewhere'));
    writeFileSync(file('elsewhere/target'), 'old');
    symlinkSync('elsewhere/target', file('link'));
    symlinkSync('link', file('link to a link'));
    writeWhole(file('link to a link'), 'new');
    expect(lstatSync(file('link to a link')).isSymbolicLink()).toBe(true);
    expect(lstatSync(file('link')).isSymbolicLink()).toBe(true);
    expect(text('elsewhere/target')).toBe('new');
    expect(readdirSync(file('elsewhere'))).toEqual(['target']);
  });

  it('follows a link that leads to no file yet', () => {
    symlinkSync('later', file('link'));
    writeWhole(file('link'), 'new');
    expect(lstatSync(file('link')).isSymbolicLink()).toBe(true);
    expect(text('later')).toBe('new');
  });

  it('gives up on links that lead in a circle', () => {
    symlinkSync('two', file('one'));
    symlinkSync('one', file('two'));
    expect(() => writeWhole(file('one'), 'new')).toThrow('cannot write');
    expect(readdirSync(folder).sort()).toEqual(['one', 'two']);
  });

  it('keeps the rights of the file that it replaces', () => {
    writeFileSync(file('secret'), 'old');
    chmodSync(file('secret'), 0o600);
    writeWhole(file('secret'), 'new');
    expect(statSync(file('secret')).mode & 0o777).toBe(0o600);
  });

  it('writes to a device as to a device', () => {
    writeWhole('/dev/null', 'text');
    expect(statSync('/dev/null').isFile()).toBe(false);
  });

  it('leaves nothing behind where it cannot write', () => {
    mkdirSync(file('a folder'));
    for (const name of ['a folder', 'no/such/folder', `${'long'.repeat(80)}`]) {
      expect(() => writeWhole(file(name), 'text')).toThrow(`cannot write ${file(name)}: `);
    }
    expect(readdirSync(folder)).toEqual(['a folder']);
    expect(readdirSync(file('a folder'))).toEqual([]);
  });

  it('names the file, and not one that the user never saw', () => {
    expect(() => writeWhole(file('no/such/folder'), 'text')).toThrow(/^cannot write \S+\/no\/such\/folder: ENOENT: no such file or directory$/);
  });
});

it('is known before the work whether a file can be written', () => {
  expect(() => checkWritable(file('new'))).not.toThrow();
  expect(() => checkWritable(file('no/such/folder'))).toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual([]);
});

describe('readJson', () => {
  it('reads what a Windows editor saved', () => {
    writeFileSync(file('bom.json'), '\uFEFF{"clients":1}');
    expect(readJson(file('bom.json'))).toEqual({ clients: 1 });
  });

  it('reads an end that is none', () => {
    writeFileSync(file('endless.json'), '{"retries":"Infinity","policies":{"Infinity":{"retries":1}}}');
    expect(readJson(file('endless.json'))).toEqual({ retries: Infinity, policies: { Infinity: { retries: 1 } } });
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { runCli } from './run-cli.ts';

const server = ['--base-url', 'http://127.0.0.1:9'];

describe('pixdock', () => {
  it.each([['--help'], ['help'], ['upload', '--help'], ['help', 'upload'], ['--version']])(
    'prints %s %s to stdout and succeeds',
    async (...args) => {
      const { stdout, stderr, code } = await runCli(temporaryFolder(), args);
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(stdout).toMatch(args[0] === '--version' ? /^\d+\.\d+\.\d+\n$/ : /Usage: pixdock/);
    },
  );

  it.each([
    ['no command', [], /Usage: pixdock/],
    ['an unknown command', ['uplaod'], /unknown command 'uplaod'\n\(Did you mean upload\?\)/],
    ['an unknown option', ['upload', 'x', '--nope'], /unknown option '--nope'/],
    [
      'an unknown format',
      ['upload', 'x', '--format', 'xml'],
      /Allowed choices are url, markdown, markdown_linked, html, html_responsive, bbcode, json/,
    ],
    [
      'an unknown placeholder',
      ['upload', 'x', '--template', '{url} {size}'],
      /Unknown placeholder: \{size\}\. Write \{\{ for an opening brace\./,
    ],
    ['an empty template', ['upload', 'x', '--template', ' '], /It must have 1 to 2000 characters\./],
    ['a template and a format', ['upload', 'x', '--template', '{url}', '--format', 'json'], /cannot be used with option/],
    ['an invalid visibility', ['upload', 'x', '--visibility', 'secret'], /Allowed choices are public, private/],
    ['an invalid duration', ['upload', 'x', '--expires-in', 'soon'], /30m, 12h or 7d/],
    ['a time without a date', ['upload', 'x', '--expires-at', '18:00'], /2026-12-31T18:00/],
    ['a day that there isn’t', ['upload', 'x', '--expires-at', '2027-02-30T18:00'], /must be a date and time/],
    ['a time that has passed', ['upload', 'x', '--expires-at', '2020-01-01T12:00'], /has passed/],
    ['two expiries', ['upload', 'x', '--expires-at', '2099-01-01T12:00', '--expires-in', '1h'], /366 days|cannot be used with/],
    ['a duration beyond a year', ['upload', 'x', '--expires-in', '367d'], /up to 366d/],
    ['an invalid view limit', ['upload', 'x', '--max-views', '-1'], /whole number from 0 to 1000000/],
    ['a date without a time', ['date', 'x', '--set', '2019-05-14'], /It must be a date and time such as 2019-05-14T18:30/],
    ['a year without pictures', ['date', 'x', '--set', '1825-12-31T12:00'], /year from 1826 to the next one/],
    ['an invalid shift', ['date', 'x', '--shift', '2 hours'], /It must be a time such as 2h, 1d12h or -30m/],
    ['no shift', ['date', 'x', '--shift', '0h'], /It must be a time such as/],
    ['a date and a shift', ['date', 'x', '--set', '2019-05-14T18:30', '--shift', '1h'], /cannot be used with option/],
    ['neither', ['date', 'b7Rk2mQx9LpT', ...server], /Use --set, --shift or --undo/],
    ['no picture', ['date', '--shift', '1h', ...server], /Name 1 to 500 pictures/],
    ['what isn’t a picture', ['date', 'plan.png', '--shift', '1h', ...server], /isn’t a picture\. Give its key/],
    ['nobody to send to', ['send', 'b7Rk2mQx9LpT', ...server], /Use --to or --to-group/],
    ['no picture to send', ['send', '--to', 'bea', ...server], /Name 1 to 500 pictures/],
    ['pictures to take back', ['send', 'b7Rk2mQx9LpT', '--undo', 'x', ...server], /Use --undo without pictures/],
    ['pictures to undo', ['date', 'b7Rk2mQx9LpT', '--undo', 'x', ...server], /Use --undo without pictures/],
    ['an invalid port', ['serve', '--port', '99999'], /whole number from 0 to 65535\.\nSee `pixdock serve --help`/],
    ['no address', ['login'], /missing required argument 'url'\nSee `pixdock login --help`/],
    ['an invalid policy', ['upload', 'x', '--policy', 'main'], /whole number of at least 1\./],
    ['an invalid timeout', ['upload', 'x', '--timeout', '0'], /whole number from 1 to 3600/],
    ['standard input twice', ['upload', '-', '-', ...server], /Standard input \(-\) can be read only once/],
    ['one name for two files', ['upload', 'x', 'y', '--name', 'z', ...server], /--name works with a single picture only/],
    ['two passwords', ['upload', 'x', '--password', 'a', '--password-file', 'b', ...server], /not both/],
    ['a missing password file', ['upload', 'x', '--password-file', 'b', ...server], /Can’t read the password file/],
    ['no server', ['upload', 'x'], /No server is set\. Run `pixdock login/],
    ['an invalid address', ['upload', 'x', '--base-url', 'ftp://pics'], /"ftp:\/\/pics" isn’t a server address/],
    ['an address with a path', ['upload', 'x', '--base-url', 'http://pics.example.org/api/v1'], /Use http:\/\/pics\.example\.org instead/],
    ['an address with a password', ['upload', 'x', '--base-url', 'http://a:b@pics.example.org'], /isn’t a server address/],
    ['an invalid token', ['upload', 'x', '--token', 'a b', ...server], /isn’t a token/],
  ])('reports %s as a usage error: exit code 2, a message on stderr, nothing on stdout', async (_, args, message) => {
    const { stdout, stderr, code } = await runCli(temporaryFolder(), args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(message);
  });

  it.each(['localhost', '10.0.0.0/33', '1.2.3', 'proxy.example.org', '::1/129'])(
    'reports PIXDOCK_TRUST_PROXY=%s in a sentence, without a stack trace',
    async (value) => {
      const env = { PIXDOCK_TRUST_PROXY: `127.0.0.1, ${value}` };
      const { stderr, code } = await runCli(temporaryFolder(), ['verify'], { env });
      expect({ stderr, code }).toEqual({
        stderr: `pixdock: PIXDOCK_TRUST_PROXY must be IP addresses or networks, such as 10.0.0.5 or 10.0.0.0/24 (it’s ["127.0.0.1","${value}"]).\n`,
        code: 1,
      });
    },
  );

  it('shows no technical defaults in its help', async () => {
    for (const command of ['upload', 'import-dir', 'markdown', 'mcp', 'login', 'list', 'get'])
      expect((await runCli(temporaryFolder(), [command, '--help'])).stdout).not.toMatch(/default: (\[|\{|true|false)/);
  });

  it('has --json in every command that prints results', async () => {
    const { stdout } = await runCli(temporaryFolder(), ['--help']);
    const commands = [...(stdout.split('Commands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+) /gm)].map(
      ([, name = '']) => name,
    );
    const without = ['export', 'mcp', 'logout', 'serve', 'reset-password', 'completion', 'help'];
    expect(commands).toEqual(expect.arrayContaining(without));
    for (const command of commands.filter((name) => !without.includes(name)))
      expect((await runCli(temporaryFolder(), [command, '--help'])).stdout, command).toMatch(/^ {2}--json /m);
  });

  it.each([60, 80])('fits its help into %i columns', async (columns) => {
    for (const command of [
      'upload',
      'date',
      'import-dir',
      'markdown',
      'login',
      'serve',
      'reset-password',
      'list',
      'search',
      'get',
      'delete',
      'send',
      'status',
    ]) {
      const { stdout } = await runCli(temporaryFolder(), [command, '--help'], { columns });
      // Only command lines, which must not be wrapped, can be longer.
      const long = stdout.split('\n').filter((text) => [...text].length > columns && !/^ {2}(?=\S)(.* )?pixdock /.test(text));
      expect({ command, long }).toEqual({ command, long: [] });
    }
  });
});

async function scriptFor(shell: string) {
  const home = temporaryFolder();
  const { stdout, stderr, code } = await runCli(home, ['completion', shell]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const path = join(home, `pixdock.${shell}`);
  await writeFile(path, stdout);
  return { path, script: stdout };
}

describe('pixdock completion', () => {
  it.runIf(has('bash'))('completes commands, options and their values in bash', async () => {
    const { path } = await scriptFor('bash');
    const complete = async (...words: string[]) => {
      const call = `source '${path}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pixdock; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return (await runProgram('bash', ['-c', call, 'bash', ...words])).stdout.trim().split('\n').filter(Boolean);
    };
    expect(await complete('pixdock', 'up')).toEqual(['upload']);
    expect(await complete('pixdock', 'upload', '--form')).toEqual(['--format']);
    expect(await complete('pixdock', 'upload', '--format', 'm')).toEqual(['markdown', 'markdown_linked']);
    expect(await complete('pixdock', 'import-dir', '--album')).toEqual(['--album', '--album-per-folder']);
    expect(await complete('pixdock', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await complete('pixdock', 'upload', '--format', '=')).toEqual([
      'url',
      'markdown',
      'markdown_linked',
      'html',
      'html_responsive',
      'bbcode',
      'json',
    ]);
    expect(await complete('pixdock', 'upload', '--format', '=', 'm')).toEqual(['markdown', 'markdown_linked']);
    expect(await complete('pixdock', 'help', 'up')).toEqual(['upload']);
    expect(await complete('pixdock', 'list', '--sort', 'na')).toEqual(['name_asc']);
    expect(await complete('pixdock', 'delete', '--no')).toEqual(['--no-color']);
    expect(await complete('pixdock', 'login', '--')).toEqual(
      expect.arrayContaining(['--upload-only', '--with-token', '--json', '--no-color']),
    );
    // The shell completes file names.
    expect(await complete('pixdock', 'upload', 'ca')).toEqual([]);
  });

  it.runIf(has('bash'))('offers folders for an import, files for an upload and its options, and nothing for free text', async () => {
    const { path } = await scriptFor('bash');
    const folder = temporaryFolder();
    await mkdir(join(folder, 'my pictures'));
    await writeFile(join(folder, 'my picture.png'), '');
    await writeFile(join(folder, 'inputrc'), 'set bell-style none\nset show-all-if-ambiguous on\n');
    /** The completion after typing this and pressing Tab, then Ctrl-A and “echo: ”. */
    const typed = async (line: string) => {
      const rc = join(folder, 'rc');
      await writeFile(rc, `PS1=; source '${path}'; pixdock() { printf '<%s>' "$@"; echo; }\n`);
      const { stdout } = await runProgram('script', ['-qec', `bash --rcfile '${rc}' -i`, '/dev/null'], {
        cwd: folder,
        env: { ...homeEnv(folder), TERM: 'dumb', INPUTRC: join(folder, 'inputrc') },
        stdin: `${line}\t\nexit\n`,
      });
      return /<.*>/.exec(stdout)?.[0];
    };
    expect(await typed('pixdock import-dir my')).toBe('<import-dir><my pictures/>');
    expect(await typed('pixdock upload my\\ picture.')).toBe('<upload><my picture.png>');
    expect(await typed('pixdock upload --password-file my\\ picture.')).toBe('<upload><--password-file><my picture.png>');
    expect(await typed('pixdock login my')).toBe('<login><my>');
  });

  it.each([
    ['zsh', "'import-dir:upload a whole folder, resuming where the last run stopped'"],
    [
      'fish',
      "complete -c pixdock -n '__fish_seen_subcommand_from upload' -l format -x -a 'url markdown markdown_linked html html_responsive bbcode json'",
    ],
  ])('prints a script for %s that the shell can parse', async (shell, line) => {
    const { path, script } = await scriptFor(shell);
    expect(script).toContain(line);
    if (has(shell)) expect(await runProgram(shell, ['-n', path])).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  it.runIf(has('fish'))('completes commands, options, their values, folders and help in fish', async () => {
    const { path } = await scriptFor('fish');
    const folder = temporaryFolder();
    await mkdir(join(folder, 'pictures'));
    await writeFile(join(folder, 'pic.txt'), '');
    const complete = async (line: string) => {
      const call = ['--no-config', '-c', `source '${path}'; complete -C '${line}'`];
      const { stdout } = await runProgram('fish', call, { cwd: folder, env: homeEnv(folder) });
      return stdout.split('\n').flatMap((found) => found.split('\t')[0] || []);
    };
    expect(await complete('pixdock up')).toEqual(['upload']);
    expect(await complete('pixdock he')).toEqual(['help']);
    expect(await complete('pixdock help up')).toEqual(['upload']);
    expect(await complete('pixdock upload --he')).toEqual(['--help']);
    expect(await complete('pixdock upload --format m')).toEqual(['markdown', 'markdown_linked']);
    expect(await complete('pixdock import-dir pic')).toEqual(['pictures/']);
    expect(await complete('pixdock upload pic')).toEqual(['pic.txt', 'pictures/']);
  });

  it('rejects other shells', async () => {
    const { stdout, stderr, code } = await runCli(temporaryFolder(), ['completion', 'tcsh']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toContain('Allowed choices are bash, zsh, fish');
  });
});

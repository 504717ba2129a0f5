import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { runCli } from './run-cli.ts';

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

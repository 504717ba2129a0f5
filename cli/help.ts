import type { AddHelpTextContext } from 'commander';

/** A command line, and what it does if that isn't obvious. */
type Example = readonly [line: string, what?: string];

/** The help below a command's options: examples and paragraphs, wrapped to the terminal. */
export function helpBelow(examples: readonly Example[], paragraphs: readonly string[] = []) {
  return ({ command, error }: AddHelpTextContext): string => {
    const { getErrHelpWidth, getOutHelpWidth } = command.configureOutput();
    const width = (error ? getErrHelpWidth : getOutHelpWidth)?.() || 80;
    const wrap = (text: string) => command.createHelp().boxWrap(text, width);
    return ['', 'Examples:', ...formatExamples(examples, width), ...paragraphs.flatMap((text) => ['', wrap(text)])].join('\n');
  };
}

/** Side by side if all fit, otherwise one below the other. */
function formatExamples(examples: readonly Example[], width: number): string[] {
  const longest = Math.max(...examples.filter(([, what]) => what).map(([line]) => line.length), 0);
  const fits = examples.every(([, what]) => !what || longest + what.length + 5 <= width);
  return examples.flatMap(([line, what]) => {
    if (!what) return [`  ${line}`];
    return fits ? [`  ${line.padEnd(longest)}   ${what}`] : [`  ${line}`, `      ${what}`];
  });
}

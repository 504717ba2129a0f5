import classes from './rows.module.css';

/** Facts on a line, with dots between them; empty ones are left out. Each stays whole, and no line begins or ends with a dot. */
export function Facts({ facts }: { facts: readonly (string | 0 | false | null | undefined)[] }) {
  return (
    <p className={`${classes.facts} ${classes.separated}`}>
      {facts
        .filter((fact): fact is string => Boolean(fact))
        .map((fact, index) => (
          <span key={fact}>
            {index > 0 && <span className={classes.dot}> · </span>}
            {fact}
          </span>
        ))}
    </p>
  );
}

interface ProgressProps {
  /** States the completed amount and the total in words. */
  label: string;
  value: number;
  max: number;
}

export const Progress = ({ label, value, max }: ProgressProps) => (
  <div className="progress">
    <progress aria-label={label} value={value} max={max} />
    <span className="small soft" role="status">
      {label}
    </span>
  </div>
);

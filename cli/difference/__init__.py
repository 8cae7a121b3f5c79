"""What two sessions differ in: for people (`picture`, `inside`, `wording`, `painting`), for programs (`document`)."""

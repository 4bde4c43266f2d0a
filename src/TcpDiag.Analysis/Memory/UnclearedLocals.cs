using System.Runtime.CompilerServices;

// The larger locals of the analysis are written as a whole before they are read, as the compiler ascertains: to clear them first takes time for each packet and
// each result. What stackalloc gives is undefined.
[module: SkipLocalsInit]

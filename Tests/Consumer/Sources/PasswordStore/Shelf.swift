/// It has nothing to do with passchain's.
public let shelf = "shelf"
